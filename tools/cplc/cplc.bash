# Completion of cplc's command line for bash.

_cplc_functions()
{
    sed -n 's/^def[[:space:]]\{1,\}\([A-Za-z_][A-Za-z_0-9]*\).*/\1/p' "$1" 2>/dev/null
}

_cplc()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word value=
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
            run | devices | cache) command=$word; break ;;
            -*) ;;
            *) break ;;
        esac
    done

    # "OPTION=x" arrives as three words, or as one where '=' does not break words.
    if [[ $cur == = ]]; then
        cur=
        value=$prev
    elif [[ $prev == = ]]; then
        value=${COMP_WORDS[COMP_CWORD-2]}
    elif [[ $cur == --*=* ]]; then
        value=${cur%%=*}
        cur=${cur#*=}
    else
        value=$prev
    fi
    case $value in
        --emit) COMPREPLY=($(compgen -W 'tokens ast types ir llvm asm obj ptx cubin spirv opencl-c' -- "$cur")); return ;;
        --as) COMPREPLY=($(compgen -W 'elementwise function kernel reduce scan histogram segments reduce-by-key sort' -- "$cur")); return ;;
        --target | --backend) COMPREPLY=($(compgen -W 'host cuda opencl interp' -- "$cur")); return ;;
        --passes) COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --list-passes 2>/dev/null | cut -d' ' -f1)" -- "$cur")); return ;;
        --print-after)
            COMPREPLY=($(compgen -W "all $("${COMP_WORDS[0]}" --list-passes 2>/dev/null | cut -d' ' -f1)" -- "$cur")); return ;;
        --output)
            [[ $command == run ]] || COMPREPLY=($(compgen -f -- "$cur"))
            return ;;
        -o | --out | --header | --profile) COMPREPLY=($(compgen -f -- "$cur")); return ;;
        --types | --option | --n | --global | --local | --op | --neutral | --map | --input | --segment | --bin | --offsets | --key | --keys | --values | --order | --before | --bits | --first | --kernel) return ;;
    esac

    if [[ $cur == -* ]]; then
        case $command in
            run) word='--as --emit -o --kernel --target --backend -O0 -O1 -O2 -O3 --option --no-opencl --no-opencl-gpu --unchecked --n --out --global --local --time --profile --stats
                       --op --neutral --map --bin --offsets --key --keys --values --order --before --bits --first --input --segment --output --exclusive --descending --help --version' ;;
            devices) word='--no-opencl --no-opencl-gpu --help --version' ;;
            cache) word='--help --version' ;;
            *) word='--emit --types --as --target --backend --passes --print-after --list-passes --time-passes
                     -O0 -O1 -O2 -O3 --option --facts --header --output -o --help --version' ;;
        esac
        COMPREPLY=($(compgen -W "$word" -- "$cur"))
    elif [[ $command == cache ]]; then
        COMPREPLY=($(compgen -W 'list clear' -- "$cur"))
    elif [[ $cur == : || $prev == : ]]; then # FILE:FUNC
        [[ $cur == : ]] && cur= || prev=${COMP_WORDS[COMP_CWORD-2]}
        [[ $prev == *.py ]] || prev=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=($(compgen -W "$(_cplc_functions "$prev")" -- "$cur"))
    else
        COMPREPLY=($(compgen -d -- "$cur") $(compgen -f -X '!*.py' -- "$cur") $(compgen -f -X '!*.cir' -- "$cur"))
        [[ $command == run ]] && COMPREPLY+=($(compgen -f -X '!*.np[yz]' -- "$cur"))
        [[ -z $command && $COMP_CWORD == 1 ]] && COMPREPLY+=($(compgen -W 'run devices cache' -- "$cur"))
    fi
}
complete -o filenames -F _cplc cplc
