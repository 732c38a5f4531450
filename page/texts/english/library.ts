/** The list of books. */
export const library = {
  libraryIntroduction: "Drop a manuscript here: plain text, Markdown, HTML, EPUB, DOCX or PDF.",
  addBook: "Add a book",
  pasteText: "Paste text",
  dropToAdd: "Drop to add the book",
  reading: (file: string) => `Reading ${file}…`,
  emptyLibrary: "No books yet",
  emptyLibraryHint: "Choose a file, drop one anywhere on this page, or paste a text. It stays on this computer.",
  searchBooks: "Search title and author",
  noBooksFound: "No title or author matches.",
  notJudgedYet: "not judged yet",
  pasteTitle: "Title",
  pasteBody: "Text",
  pasteHint: "Headings such as “Chapter 1” or “第一章” become chapters.",
  pasteAdd: "Add this text",
  added: (title: string) => `${title} was added.`,
};
