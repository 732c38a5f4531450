import { expect, it } from "vitest";
import { parseConfig } from "./config-file.ts";

it("a config that came with a folder cannot send manuscripts and keys to another machine", () => {
  expect(() => parseConfig("judge: any@https://models.example.com/v1", "fabula.config.yaml")).toThrow(
    /^fabula\.config\.yaml names a judge on another machine \(https:\/\/models\.example\.com\).* --judge\.$/,
  );
  for (const judge of ["any@http://127.0.0.1:8000/v1", "any@http://localhost:1/v1", "openai:gpt-4.1", "jury"])
    expect(parseConfig(`judge: ${judge}`, "fabula.config.yaml")).toEqual({ judge });
  for (const store of ["postgres://me:secret@db.example.com/calls", "postgres://localhost/calls?host=db.example.com"])
    expect(() => parseConfig(`store: ${store}`, "fabula.config.yaml")).toThrow(
      /^fabula\.config\.yaml names a database on another machine \((?!.*secret).* --store or FABULA_STORE\.$/,
    );
  for (const store of ["postgres://me@localhost:5433/calls", "postgres:///calls?host=/run/postgresql", "calls.db"])
    expect(parseConfig(`store: ${store}`, "fabula.config.yaml")).toEqual({ store });
});
