"""Does a translation model use the gender cue, which heads carry it, and how sure is it?"""
