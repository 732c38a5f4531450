/** Processor time of this process while something runs: other work on the machine slows only the clock. */
export async function processorSeconds(run: () => unknown): Promise<number> {
  const started = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1e6;
}
