import { expect, it } from "vitest";
import { ModelError, type ModelFailure } from "../../models/model-error.ts";
import { ManualClock } from "../../testing/index.ts";
import { Circuit } from "./circuit.ts";

const failure = (kind: ModelFailure) => new ModelError(kind, "m", kind);

it("opens after ten failures in a row, and lets one try again after half a minute", async () => {
  const clock = new ManualClock();
  const opened: string[] = [];
  const circuit = new Circuit(clock, ({ message }) => opened.push(message));
  for (let at = 0; at < 9; at++) circuit.failed(failure("connection"));
  circuit.answered();
  for (let at = 0; at < 9; at++) circuit.failed(failure("server"));
  expect(circuit.openedBy).toBeNull();
  circuit.failed(failure("timeout"));
  expect(circuit.openedBy).toMatchObject({ failure: "timeout" });
  await clock.advance(31_000);
  expect(circuit.openedBy).toBeNull();
  expect(circuit.openedBy).not.toBeNull();
  circuit.failed(failure("connection"));
  expect(opened).toEqual(["timeout"]);
  await clock.advance(31_000);
  circuit.answered();
  expect(circuit.openedBy).toBeNull();
});

it("opens at once when the key or the model is wrong, and never for a provider that is merely busy", () => {
  const circuit = new Circuit(new ManualClock(), () => {});
  for (let at = 0; at < 50; at++) circuit.failed(failure("rate-limited"));
  for (let at = 0; at < 50; at++) circuit.failed(failure("too-long"));
  expect(circuit.openedBy).toBeNull();
  circuit.failed(failure("authentication"));
  expect(circuit.openedBy).not.toBeNull();
});
