/* The user's source with the lines of the region marked. */
function sourceShow(data, number) {
    const [first, last] = data.lines[number];
    const lines = colouredLines(data.source.replace(/\n$/, ""));
    lines.forEach((line, i) => {
        line.classList.toggle("marked", i + 1 >= first && i + 1 <= last);
        line.prepend(make("span", { class: "soft", "aria-hidden": "true" },
            `${String(i + 1).padStart(4)}  `));
    });
    $("source").replaceChildren(...lines);
}
