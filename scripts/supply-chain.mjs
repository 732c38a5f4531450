// What the package is made of, written at pack: an SBOM (CycloneDX) and the licence of each library that comes with it.
// `node scripts/supply-chain.mjs [FOLDER]` writes sbom.cdx.json and licences.md there; without a folder, into dist/.
// It reads the lock file itself: `npm sbom --omit dev` leaves out libraries that development needs as well, such as zod.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = resolve(process.argv[2] ?? join(root, "dist"));
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const { "": own, ...others } = packages;
const libraries = Object.entries(others)
  .filter(([, { dev, devOptional, link }]) => !dev && !devOptional && !link)
  .map(([path, library]) => ({ name: path.split("node_modules/").at(-1), ...library }))
  .sort((left, right) => (left.name < right.name ? -1 : 1));

const bill = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: { component: componentOf(own, "application") },
  components: libraries.map((library) => componentOf(library, "library")),
};
const licences = [
  `# Libraries that come with ${own.name} ${own.version}`,
  "",
  "| library | version | licence |",
  "| --- | --- | --- |",
  ...libraries.map(({ name, version, license }) => `| ${name} | ${version} | ${license ?? "not stated"} |`),
  "",
];

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
writeFileSync(join(folder, "licences.md"), licences.join("\n"));

function componentOf({ name, version, license, integrity }, type) {
  const reference = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [algorithm, digest] = integrity?.split("-") ?? [];
  return {
    type,
    "bom-ref": reference,
    name,
    version,
    purl: reference,
    ...(license && { licenses: [/ OR | AND /.test(license) ? { expression: license } : { license: { id: license } }] }),
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
  };
}
