// A page of one sentence, for notebooks.
document.getElementById("explore").append(...sentenceFigures(DATA).filter(Boolean));
document.documentElement.dataset.ready = "yes";
