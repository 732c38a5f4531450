import { expect, it } from "vitest";
import { plainGenres } from "./plain-genres.ts";

it("library headings become the genre they name, or nothing", () => {
  expect(plainGenres(["Domestic fiction", "New England -- Fiction", "Sisters -- Fiction"])).toEqual(["Family"]);
  expect(plainGenres(["Detective and mystery stories", "Private investigators -- England -- Fiction"])).toEqual([
    "Mystery",
  ]);
  expect(plainGenres(["England -- Social life and customs -- 19th century -- Fiction"])).toEqual([]);
  expect(plainGenres(["FICTION / Romance / Contemporary"])).toEqual(["Romance", "Contemporary"]);
});

it("genres as readers name them stay as they are", () => {
  const shelves = ["Fantasy", "Historical Fiction", "Lesbian Fiction", "M/M Romance", "Short Stories", "Cozy Mystery"];
  expect(plainGenres(shelves)).toEqual(shelves);
});
