import { expect, it } from "vitest";
import { ModelError, type ModelFailure } from "../../models/model-error.ts";
import { ManualClock } from "../../testing/index.ts";
import { Circuit } from "./provider-gate.ts";

const failure = (kind: ModelFailure) => new ModelError(kind, "m", kind);

it("opens when a call has used up its attempts without a sign of life, and lets one try again after half a minute", async () => {
  const clock = new ManualClock();
  const opened: string[] = [];
  const circuit = new Circuit(clock, ({ message }) => opened.push(message));
  const answeredMeanwhile = circuit.begin();
  circuit.answered();
  circuit.failed(failure("server"), answeredMeanwhile, true);
  expect(circuit.openedBy).toBeNull();
  const silent = circuit.begin();
  circuit.failed(failure("server"), silent, false);
  expect(circuit.openedBy).toBeNull();
  circuit.failed(failure("overloaded"), silent, true);
  expect(circuit.openedBy).toMatchObject({ failure: "overloaded" });
  await clock.advance(31_000);
  expect(circuit.openedBy).toBeNull();
  expect(circuit.openedBy).not.toBeNull();
  circuit.failed(failure("connection"), silent, true);
  expect(opened).toEqual(["overloaded"]);
  circuit.answered();
  expect(circuit.openedBy).toBeNull();
});

it("does not take many calls that fail together for a provider that is down", () => {
  const circuit = new Circuit(new ManualClock(), () => {});
  const together = Array.from({ length: 50 }, () => circuit.begin());
  for (const since of together) circuit.failed(failure("overloaded"), since, false);
  expect(circuit.openedBy).toBeNull();
});

it("opens for a provider that keeps every request waiting, before the attempts are used up", async () => {
  const clock = new ManualClock();
  const circuit = new Circuit(clock, () => {});
  const since = circuit.begin();
  await clock.advance(300_000);
  circuit.failed(failure("timeout"), since, false);
  expect(circuit.openedBy).toBeNull();
  await clock.advance(300_500);
  circuit.failed(failure("timeout"), since, false);
  expect(circuit.openedBy).toMatchObject({ failure: "timeout" });
});

it("opens at once when the key is wrong, and never for one wrong model or a provider that is merely busy", () => {
  const circuit = new Circuit(new ManualClock(), () => {});
  const since = circuit.begin();
  for (let at = 0; at < 50; at++) circuit.failed(failure("rate-limited"), since, true);
  for (let at = 0; at < 50; at++) circuit.failed(failure("too-long"), since, true);
  for (let at = 0; at < 50; at++) circuit.failed(failure("unknown-model"), since, true);
  expect(circuit.openedBy).toBeNull();
  circuit.failed(failure("authentication"), since, false);
  expect(circuit.openedBy).not.toBeNull();
});

it("tells of a refused key once, also when the provider is down for another reason already", () => {
  const opened: string[] = [];
  const circuit = new Circuit(new ManualClock(), ({ message }) => opened.push(message));
  const since = circuit.begin();
  circuit.failed(failure("server"), since, true);
  for (let at = 0; at < 3; at++) circuit.failed(failure("authentication"), since, false);
  circuit.failed(failure("server"), since, true);
  expect(opened).toEqual(["server", "authentication"]);
});

it("does not take one prompt that is always answered with an unusable reply for a provider that is down", () => {
  const circuit = new Circuit(new ManualClock(), () => {});
  const since = circuit.begin();
  for (const last of [false, false, true]) circuit.failed(failure("malformed"), since, last);
  expect(circuit.openedBy).toBeNull();
});
