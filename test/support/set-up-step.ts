/** One step of set-up. Where it fails, no test file runs, and its sentence is all that there is to read. */
export async function setUpStep<Prepared>(prepare: () => Promise<Prepared>): Promise<Prepared> {
  try {
    return await prepare();
  } catch (error) {
    console.error(`set-up: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
