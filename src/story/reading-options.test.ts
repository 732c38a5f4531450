import { expect, it } from "vitest";
import type { Book } from "../text/book.ts";
import { countedAbout } from "./reading-options.ts";

it("counts the people of a book once, however many judges and runs ask for them", () => {
  const text = "“The ferry is late,” said Mara. Mara counted the lamps. “There are forty-three,” Mara said.\n\n".repeat(
    20,
  );
  let counted = 0;
  const book = {
    language: "en",
    get chapters() {
      counted++;
      return [{ index: 1, title: null, text, words: 300 }];
    },
  } as unknown as Book;
  const { mainPeople } = countedAbout(book);
  expect(counted).toBe(0);
  const asked = [mainPeople(), mainPeople()];
  expect(asked).toEqual([["Mara"], ["Mara"]]);
  expect(counted).toBe(1);
});
