import type { Browser, Page } from "playwright-core";
import { median } from "../../src/stats/distribution.ts";
import { enter } from "../../test/support/open-page.ts";

const WINDOW = { viewport: { width: 1280, height: 900 } };

/** A window whose visitor the server at this address knows. */
export async function newWindow(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage(WINDOW);
  await enter(page.context(), url);
  return page;
}

/** Scrolls by so many pixels a frame for three seconds and gives the milliseconds between frames. */
export async function frameTimes(page: Page, scroller: string, pixels: number): Promise<number[]> {
  return (await page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector(${JSON.stringify(scroller)});
    const frames = [];
    const started = performance.now();
    let before = started;
    const step = (now) => {
      frames.push(now - before);
      before = now;
      scroller.scrollTop += ${pixels};
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

export function line(name: string, figure: string, aim?: string): void {
  console.log(`  ${name.padEnd(56)} ${figure.padStart(34)}${aim ? `   (aim: ${aim})` : ""}`);
}
