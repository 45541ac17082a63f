"""What bash, zsh and fish propose for a line whose last word is being written, asked in the shell itself."""

import os
import pty
import select
import shlex
import subprocess
import time

SHELLS = ("bash", "zsh", "fish")
PATH = f"{os.path.dirname(os.environ.get('COTERIE', ''))}:{os.environ['PATH']}"  # scripts ask the program
LIMIT = 60  # seconds, for a shell that does not answer


def answers_of(text):
    return [[word for word in answer.split("\n") if word] for answer in text.split("---\n")[:-1]]


def bash(script, lines, cwd):
    calls = "".join(f"COMP_WORDS=(coterie {shlex.join(words)}); COMP_CWORD={len(words)}; _coterie; "
                    'printf "%s\\n" "${COMPREPLY[@]}" ---\n' for words in lines)
    done = subprocess.run(["bash", "-c", f"source {script}\n{calls}"], capture_output=True, text=True, timeout=LIMIT, cwd=cwd,
                          env={**os.environ, "PATH": PATH})
    assert done.returncode == 0 and not done.stderr, done.stderr
    return answers_of(done.stdout)


def fish(script, lines, cwd):
    """Of 'word<tab>description' the word."""
    calls = "".join(f"complete --do-complete {shlex.quote('coterie ' + ' '.join(words))}; echo ---\n" for words in lines)
    done = subprocess.run(["fish", "--no-config", "-c", f"source {script}\n{calls}"], capture_output=True, text=True,
                          timeout=LIMIT, cwd=cwd, env={**os.environ, "PATH": PATH})
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [[word.split("\t")[0] for word in answer] for answer in answers_of(done.stdout)]


#: What compadd is given goes into a file; what it makes of it is not shown.
ZSH = r"""
autoload -Uz compinit && compinit -u -D
source SCRIPT
unsetopt automenu listbeep
compadd() {
  if [[ " ${@[1,(i)(-|--)]}" != *\ -[OAD]* ]]; then
    typeset -a __hits
    builtin compadd -A __hits "$@"
    (($#__hits)) && print -rl -- $__hits >> HITS
  fi
  builtin compadd "$@"
}
told() { print -- --- >> HITS; compstate[insert]= compstate[list]= comppostfuncs=(told) }  # they are called once
comppostfuncs=(told)
bindkey -e
bindkey '^I' complete-word
print -- --- >> HITS
"""


def zsh(script, lines, cwd):
    """In a terminal: it completes nowhere else."""
    hits = script.parent / "hits"
    hits.unlink(missing_ok=True)
    setup = script.parent / "setup.zsh"
    setup.write_text(ZSH.replace("SCRIPT", str(script)).replace("HITS", str(hits)))
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(cwd)
        os.execvpe("zsh", ["zsh", "-f", "-i"], dict(os.environ, PATH=PATH, TERM="dumb", COLUMNS="200", PS1="", HOME=str(script.parent)))
    end = time.monotonic() + LIMIT
    try:
        for count, words in enumerate([None, *lines], start=1):
            keys = f"source {setup}\n" if words is None else f"\x15coterie {' '.join(words)}\t"
            os.write(terminal, keys.encode())
            while not hits.exists() or hits.read_text().count("---\n") < count:
                assert time.monotonic() < end, f"zsh does not answer: {keys!r}"
                if select.select([terminal], [], [], 0.01)[0]:
                    os.read(terminal, 1 << 16)  # what it prints, so that it does not wait
        told = hits.read_text()  # before the terminal closes: zsh, if it dies just after a write, may write that again
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
    return [sorted(set(answer)) for answer in answers_of(told)[1:]]
