import { afterEach, expect, it, vi } from "vitest";
import { refusing } from "./formats/pdf.ts";
import { formatNamed } from "./formats/recognise-format.ts";
import { parseBookBytes } from "./parse-book.ts";

afterEach(() => vi.restoreAllMocks());

/** The error from reading a PDF whose reader fails like this. */
const failure = (error: Error) => {
  const read = ({ name }: { readonly name: string }) => refusing(name, () => Promise.reject(error));
  vi.spyOn(formatNamed("pdf"), "load").mockResolvedValueOnce({ format: { read } });
  return parseBookBytes(new Uint8Array([1]), "book.pdf", { format: "pdf" }).catch((thrown) => thrown);
};
const named = (name: string, details = "") => Object.assign(new Error("Bad"), { name, details });

it("an error that is not the file's fault does not blame the file", async () => {
  for (const error of [new Error("Please provide binary data"), named("UnknownErrorException", "TypeError: Bad")]) {
    expect(await failure(error)).toMatchObject({
      code: "E_UNEXPECTED",
      message: `An internal error stopped Fabula from reading book.pdf (${error.message}). The file itself may be fine: please report this, and try another format meanwhile.`,
      cause: error,
    });
  }
});

it("damage that the PDF reader finds in a file is named as such", async () => {
  for (const error of [named("InvalidPDFException"), named("UnknownErrorException", "FormatError: Bad")]) {
    expect(await failure(error)).toMatchObject({
      code: "E_PDF",
      message: "book.pdf is not a PDF that can be read: download or export it again.",
    });
  }
});
