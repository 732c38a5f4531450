import type { RunnerEvent } from "../../runner/runner-event.ts";

/** Counters of one worker, in the text format that Prometheus reads. */
export class WorkerMetrics {
  readonly #counters = new Map<string, number>();

  count(name: string, labels: Readonly<Record<string, string>> = {}, amount = 1): void {
    const key = series(name, labels);
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + amount);
  }

  note(event: RunnerEvent): void {
    switch (event.kind) {
      case "answered":
        this.count("fabula_calls_total", { outcome: "answered", model: event.model });
        if (event.cost === null) this.count("fabula_unpriced_calls_total", { model: event.model });
        else this.count("fabula_cost_dollars_total", { model: event.model }, event.cost);
        return;
      case "cached":
      case "failed":
      case "retried":
        this.count("fabula_calls_total", { outcome: event.kind, model: event.model });
        return;
      default:
        return;
    }
  }

  /** With the gauges of this moment. */
  text(gauges: readonly Gauge[]): string {
    const lines = [...this.#counters].map(([key, value]) => `${key} ${value}`);
    const names = new Set(lines.map((line) => line.split(/[{ ]/)[0]!));
    const counters = [...names].flatMap((name) => [
      `# TYPE ${name} counter`,
      ...lines.filter((line) => line.split(/[{ ]/)[0] === name).sort(),
    ]);
    const gaugeNames = [...new Set(gauges.map(({ name }) => name))];
    const measured = gaugeNames.flatMap((name) => [
      `# TYPE ${name} gauge`,
      ...gauges.filter((gauge) => gauge.name === name).map(({ labels, value }) => `${series(name, labels)} ${value}`),
    ]);
    return `${[...counters, ...measured].join("\n")}\n`;
  }
}

export interface Gauge {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

function series(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
