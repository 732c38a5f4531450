import type { Browser, Page } from "playwright-core";
import { enter } from "../../test/support/open-page.ts";

const WINDOW = { viewport: { width: 1280, height: 900 } };

/** Milliseconds from the address until it can be used, each time in a browser profile that has loaded nothing. */
export async function openingTimes(
  browser: Browser,
  url: string,
  repeats: number,
  ready: (page: Page) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const context = await browser.newContext(WINDOW);
    await enter(context, url);
    const page = await context.newPage();
    times.push(
      await milliseconds(async () => {
        await page.goto(url, { waitUntil: "commit" });
        await ready(page);
      }),
    );
    await context.close();
  }
  return times;
}

/** A window whose visitor the server at this address knows. */
export async function newWindow(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage(WINDOW);
  await enter(page.context(), url);
  return page;
}

/**
 * Scrolls for three seconds and gives the milliseconds between frames: from the first row to the last, or so many pixels a frame.
 */
export async function frameTimes(page: Page, scroller: string, pixels: number | "whole"): Promise<number[]> {
  const move = pixels === "whole" ? "= (scroller.scrollHeight * (now - started)) / 3000" : `+= ${pixels}`;
  return (await page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector(${JSON.stringify(scroller)});
    const frames = [];
    const started = performance.now();
    let before = started;
    const step = (now) => {
      frames.push(now - before);
      before = now;
      scroller.scrollTop ${move};
      if (now - started < 3000) requestAnimationFrame(step);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(step);
  })`)) as number[];
}

export async function milliseconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function spread(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)})`;
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function line(name: string, figure: string, aim?: string): void {
  console.log(`  ${name.padEnd(56)} ${figure.padStart(34)}${aim ? `   (aim: ${aim})` : ""}`);
}
