# What bash completes the last word to. Usage: bash complete.bash SCRIPT WORD...
. "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
completes=$(complete -p treefork | sed 's/.*-F \([^ ]*\) .*/\1/')
"$completes" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
