/* erf is not the word here */ double interf;
