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

it("genres mean the same in any case, and none is dropped for it", () => {
  const inCases = (genre: string) => [
    genre,
    genre.toLowerCase(),
    genre.toUpperCase(),
    genre[0] + genre.slice(1).toLowerCase(),
  ];
  for (const genre of ["Literary Fiction", "Fairy Tales", "Lesbian Fiction", "British Literature", "Mystery"]) {
    for (const written of inCases(genre)) expect(plainGenres([written])).toEqual([written]);
  }
  for (const written of inCases("Detective Stories")) expect(plainGenres([written])).toEqual(["Mystery"]);
  expect(plainGenres(["Literary fiction", "literary Fiction"])).toEqual(["Literary fiction"]);
  expect(plainGenres(["Young adult historical fiction"])).toEqual(["Young adult historical fiction"]);
});
