/* Beside the source, which includes it; nothing else knows the folder. */
