import { expect, it } from "vitest";
import { addressOf, isPostgres, withoutPassword } from "./address.ts";

it.each([
  ["postgres://me:s3cret@host/db", "postgres://me:***@host/db"],
  ["postgresql://me:s3cret@host:5433/db?sslmode=require", "postgresql://me:***@host:5433/db?sslmode=require"],
  ["--store=postgres://me:s3@cret/@host/db", "--store=postgres://me:***@host/db"],
  ["postgres://me:s3cret%40@[::1]:5432/db", "postgres://me:***@[::1]:5432/db"],
  ["postgres://:s3cret@host/db", "postgres://:***@host/db"],
  ["postgres://me@host/db?password=s3cret&x=1", "postgres://me@host/db?password=***&x=1"],
  ["cannot reach POSTGRES://me:s3cret@host/db (refused)", "cannot reach POSTGRES://me:***@host/db (refused)"],
])("takes the password out of %s", (text, shown) => {
  expect(withoutPassword(text)).toBe(shown);
});

it.each(["postgres://me@host:5432/db", "gpt@http://127.0.0.1:8000/v1,other@http://host:9/v1", "C:\\books\\a@b.db", ""])(
  "leaves %s alone",
  (text) => {
    expect(withoutPassword(text)).toBe(text);
  },
);

it("names the parts for people", () => {
  expect(addressOf("postgres://m%40e:x@db.example/novels")).toEqual({
    shown: "postgres://m%40e:***@db.example/novels",
    server: "db.example:5432",
    user: "m@e",
    database: "novels",
  });
  expect(addressOf("postgres://me@host").database).toBe("me");
  expect(isPostgres("postgresql://x")).toBe(true);
  expect(isPostgres("postgres.db")).toBe(false);
});
