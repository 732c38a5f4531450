/** One thing that was checked about one book, or a book that could not be checked at all. */
export interface JUnitCase {
  readonly suite: string;
  readonly name: string;
  readonly failure: string | null;
  /** Why neither pass nor failure can be told; shown as skipped. */
  readonly undecided: string | null;
  /** The check could not be made: the book could not be read. */
  readonly isError?: boolean;
}

/** Checks in the XML that continuous integration shows: a suite per book, a case per check. */
export function junitReport(cases: readonly JUnitCase[]): string {
  const suites = groups(cases);
  const count = (list: readonly JUnitCase[], isError: boolean) =>
    list.filter((one) => one.failure !== null && (one.isError ?? false) === isError).length;
  const attributes = (name: string, list: readonly JUnitCase[]) =>
    `name="${xml(name)}" tests="${list.length}" failures="${count(list, false)}" errors="${count(list, true)}" skipped="${list.filter((one) => one.undecided !== null).length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes("fabula", cases)}>`,
    ...[...suites].flatMap(([suite, list]) => [
      `  <testsuite ${attributes(suite, list)}>`,
      ...list.map(caseXml),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function groups(cases: readonly JUnitCase[]): Map<string, JUnitCase[]> {
  const suites = new Map<string, JUnitCase[]>();
  for (const one of cases) suites.set(one.suite, [...(suites.get(one.suite) ?? []), one]);
  return suites;
}

function caseXml({ suite, name, failure, undecided, isError }: JUnitCase): string {
  const head = `    <testcase classname="${xml(suite)}" name="${xml(name)}"`;
  if (undecided !== null) return `${head}><skipped message="${xml(`cannot be told: ${undecided}`)}"/></testcase>`;
  if (failure === null) return `${head}/>`;
  const kind = isError ? "error" : "failure";
  return `${head}><${kind} message="${xml(failure)}"/></testcase>`;
}

/** XML allows no control characters, not even as references. */
function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "�")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll('"', "&quot;")
      .replace(/[\t\n\r]/g, " ")
  );
}
