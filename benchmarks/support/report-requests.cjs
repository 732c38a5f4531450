// Loaded before a program: writes down when each request was handed to the network and when its bytes left, in a file that others write to as well.
const { appendFileSync } = require("node:fs");
const { subscribe } = require("node:diagnostics_channel");

const note = (what) => {
  return ({ request: { headers } }) => {
    const at = headers.findIndex((word) => String(word).toLowerCase() === "idempotency-key");
    if (at === -1) return;
    const line = { what, key: headers[at + 1], pid: process.pid, at: Date.now() };
    appendFileSync(process.env.FABULA_BENCHMARK_REQUESTS, `${JSON.stringify(line)}\n`);
  };
};
subscribe("undici:request:create", note("handed"));
subscribe("undici:client:sendHeaders", note("sent"));
