/*
 * cplc again and again in one process, for runtimes of OpenCL that take longer to start than a
 * kernel takes for all the rest. Each line of standard input is a command line, with tabs between
 * its words; its first two are the files that take standard output and standard error. For each a
 * line on standard output says the exit status. test/run/Inputs/harness.py writes them.
 */
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 200 };

int cplc_main(int argc, char **argv); /* tools/cplc/main.c's main, by its name in this program */

static void redirect(const char *path, int to)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, to) < 0) {
        perror(path);
        exit(2);
    }
    close(fd);
}

/* The words of the line behind "cplc", and how many; they lie in the line. */
static int split(char *line, char **words)
{
    int count = 0;
    words[count++] = "cplc";
    line[strcspn(line, "\n")] = 0;
    for (char *word; (word = strsep(&line, "\t")) && count < MOST_WORDS;) words[count++] = word;
    words[count] = NULL;
    return count;
}

int main(void)
{
    FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
    char *line = NULL, *words[MOST_WORDS + 1];
    size_t room = 0;
    for (; answers && getline(&line, &room, stdin) > 0; line = NULL) { /* cplc keeps its words */
        int count = split(line, words);
        if (count < 4) return 2;
        redirect(words[1], STDOUT_FILENO);
        redirect(words[2], STDERR_FILENO);
        words[2] = words[0];
        optind = 0;
        int status = cplc_main(count - 2, words + 2);
        fflush(NULL);
        fprintf(answers, "%d\n", status);
        fflush(answers);
    }
    free(line); /* of the end, which has none */
    return 0;
}
