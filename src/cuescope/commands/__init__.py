"""The commands, one file each; heavy imports happen inside, so that --help is quick."""
