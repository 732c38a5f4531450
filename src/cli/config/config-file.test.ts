import { expect, it } from "vitest";
import { withConfig } from "./apply-config.ts";
import { refuseForeignMachines } from "./config-file.ts";

it("the settings of a folder cannot send manuscripts to another machine, even where it is trusted", () => {
  const check = (config: { judge?: string; store?: string }) =>
    refuseForeignMachines({ path: "fabula.config.yaml", config });
  expect(() => check({ judge: "any@https://models.example.com/v1" })).toThrow(
    /^fabula\.config\.yaml names a judge on another machine \(https:\/\/models\.example\.com\).* --judge, or /,
  );
  for (const judge of ["any@http://127.0.0.1:8000/v1", "any@http://localhost:1/v1", "openai:gpt-4.1", "jury"])
    expect(() => check({ judge })).not.toThrow();
  for (const store of ["postgres://me:secret@db.example.com/calls", "postgres://localhost/calls?host=db.example.com"])
    expect(() => check({ store })).toThrow(
      /^fabula\.config\.yaml names a database on another machine \((?!.*secret).* --store or FABULA_STORE, or /,
    );
  for (const store of ["postgres://me@localhost:5433/calls", "postgres:///calls?host=/run/postgresql", "calls.db"])
    expect(() => check({ store })).not.toThrow();
});

it("a folder that is not trusted lowers the limit of a command and does not raise it", () => {
  const flags = { "max-cost": { type: "number", value: "USD", default: 5, help: "" } } as const;
  const limit = (maxCost: number, isTrusted: boolean) => {
    const file = { path: "fabula.config.yaml", config: { limits: { maxCost } }, isTrusted };
    return withConfig("mcp", flags, { files: [file], ignored: null, ofOthers: [] }, {})["max-cost"];
  };
  expect([limit(1000, false), limit(2, false), limit(1000, true)]).toMatchObject([
    { default: 5 },
    { default: 2 },
    { default: 1000 },
  ]);
});
