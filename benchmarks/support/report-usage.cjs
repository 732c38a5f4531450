// Loaded before a program: when it ends, its processor time and its peak of memory are on its fourth stream, as JSON.
const { writeSync } = require("node:fs");

// Processes that the program starts load this too, and have no such stream.
if (!process.send) {
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const { maxRSS } = process.resourceUsage();
    writeSync(3, JSON.stringify({ processorSeconds: (user + system) / 1e6, peakMegabytes: maxRSS / 1024 }));
  });
}
