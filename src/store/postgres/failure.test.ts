import { expect, it } from "vitest";
import { addressOf } from "./address.ts";
import { openingFailure, statementFailure } from "./database.ts";

it.each([openingFailure, statementFailure])("says that the server's disk is full, and what to do: %o", (explain) => {
  const refused = Object.assign(new Error("could not extend file: No space left on device"), { code: "53100" });
  expect(explain(refused, addressOf("postgres://ada@db.example:5433/stories"))).toMatchObject({
    code: "E_STORE_FULL",
    message: expect.stringMatching(
      /^The disk of the PostgreSQL server db\.example:5433 is full: free some space there/,
    ),
  });
});
