// Known vulnerabilities in the libraries that come with the package: a high or critical one fails. `npm run audit`
// A registry that answers no audit is said and does not fail: a machine without one must still be able to check a change.
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const report = reportIn(stdout);
const found = report?.metadata?.vulnerabilities;
if (!found) {
  console.log(`audit: not done, because the registry gave no answer (${report?.message ?? "nothing was printed"}).`);
  process.exit(0);
}

const grave = Object.values(report.vulnerabilities).filter(({ severity }) => ["high", "critical"].includes(severity));
for (const { name, severity, via } of grave) {
  const advisories = via.map((one) => (typeof one === "string" ? `through ${one}` : `${one.title} (${one.url})`));
  console.log(`audit: ${name} (${severity}): ${advisories.join("; ")}`);
}
console.log(
  `audit: ${found.total} known vulnerabilities in the libraries of the package, ${grave.length} of them high or critical.`,
);
process.exit(grave.length === 0 ? 0 : 1);

function reportIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
