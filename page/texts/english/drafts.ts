/** Drafts of one book, and what changed between two of them. */
export const drafts = {
  drafts: "Drafts",
  draftNumber: (number: number) => `Draft ${number}`,
  draftOffer: (title: string) => `There is already a book called “${title}”. Is this its next draft?`,
  draftJoin: "Yes, the next draft",
  draftSeparate: "Not a draft of another book",
  compareDrafts: "Compare with the draft before",
  findingsChanged: "What became of the findings",
  findingsCounted: (fixed: number, still: number, added: number) =>
    `${fixed} fixed, ${still} still there, ${added} new.`,
  findingsFixed: "Fixed",
  findingsStill: "Still there",
  findingsNew: "New",
  draftsHint: "Paragraphs are aligned by their words.",
  comparingDrafts: "Reading both drafts…",
  earlierDraft: "Earlier draft",
  laterDraft: "Later draft",
  textChanges: "What changed in the text",
  textCounts: (rewritten: number, added: number, removed: number) =>
    `Paragraphs: ${rewritten} rewritten, ${added} added, ${removed} removed,`,
  textMoved: (moved: number, same: number) => `${moved} moved, ${same} unchanged.`,
  textWords: (added: number, removed: number) =>
    `${added} ${added === 1 ? "word" : "words"} added, ${removed} removed.`,
  textIdentical: "The two drafts have the same text.",
  kindAdded: "added",
  kindRemoved: "removed",
  kindMoved: "moved",
  kindRewritten: "rewritten",
  filterChanges: "Show",
  allChanges: "All changes",
  figureChanges: "What changed in the map",
  figureChangesHint: "Counted, not judged. The reference is the middle 90 % of published novels, most of them old.",
  referenceRange: "Middle 90 %",
  onlyChangedFigures: "Figures that did not change are left out.",
  noteChanges: "What changed in the notes",
  noteChangesOf: (before: string, after: string) =>
    `Sentences of the changed paragraphs that an editor would probably change: ${before} before, ${after} now.`,
  scoreChanges: "What changed in the scores",
  scoresFolded: "Scores of the prose (the jurors do not notice repaired faults)",
  scoreChangesHint:
    "A difference counts as clear when it exceeds the judge’s error on the changed chapters of both drafts.",
};
