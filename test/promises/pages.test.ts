import { blocksOfPages, isCommand, selectLines } from "./documents.ts";
import { tryBlocks } from "./try-blocks.ts";

// Every command that README.md and the guides show, run with the installed package.
tryBlocks(selectLines(blocksOfPages(), isCommand));
