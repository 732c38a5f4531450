import { inject } from "vitest";
import { blocksOfHelp, blocksOfPages, isCommand, selectLines } from "./documents.ts";
import { tryBlocks } from "./try-blocks.ts";

// Every example of every `--help` that no page shows, run with the installed package.
const onPages = new Set(blocksOfPages().flatMap(({ lines }) => lines));
tryBlocks(selectLines(blocksOfHelp(inject("help")), isCommand, onPages));
