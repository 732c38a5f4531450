import pg from "pg";
import { addressOf } from "./address.ts";
import { numbersAsNumbers, type Row, statementFailure } from "./database.ts";

export interface DirectOptions {
  /**
   * Called with what the server announces about the queue: the name of a run whose state has changed, an empty word when there is
   * new work, and null when announcements may have been missed.
   */
  readonly onNotice?: (run: string | null) => void;
}

/** The channel on which the tables announce work and the state of runs. */
const CHANNEL = "fabula_queue";
/** What is asked here takes milliseconds: whoever has no answer by then has lost the connection. */
const ANSWER_MILLISECONDS = 4000;

/**
 * One connection apart from the pool, for signs of life and short looks that must not wait behind other statements, and for what the
 * server announces. A statement that gets no answer within seconds fails and gives the connection up; the next opens another. So a
 * cable that was out for half a minute costs half a minute, and not as long as the longest statement may take.
 */
export class DirectConnection {
  readonly #location: string;
  readonly #onNotice: (run: string | null) => void;
  #client: Promise<pg.Client> | null = null;
  #isListening = false;
  #isClosed = false;

  constructor(location: string, { onNotice }: DirectOptions = {}) {
    this.#location = location;
    this.#onNotice = onNotice ?? (() => {});
  }

  /** Whether announcements arrive. While they do not, whoever waits for one has to look by itself. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Tried once. */
  async query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const client = await this.#open();
      const query = { text, values: [...values], query_timeout: ANSWER_MILLISECONDS };
      return (await client.query<Row>(query)).rows;
    } catch (error) {
      await this.#giveUp();
      throw statementFailure(error, addressOf(this.#location));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#giveUp();
  }

  #open(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#isClosed) throw new Error("the connection was closed");
    const client = new pg.Client({
      connectionString: this.#location,
      connectionTimeoutMillis: ANSWER_MILLISECONDS,
      keepAlive: true,
      application_name: "fabula",
      types: numbersAsNumbers,
    });
    const lose = () => {
      this.#isListening = false;
      this.#client = null;
    };
    client.on("error", lose);
    client.on("notification", ({ payload = "" }) => this.#onNotice(payload));
    await client.connect();
    const listen = { text: `LISTEN ${CHANNEL}`, query_timeout: ANSWER_MILLISECONDS };
    await client.query(listen);
    client.on("end", lose);
    this.#isListening = true;
    this.#onNotice(null);
    return client;
  }

  async #giveUp(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#isListening = false;
    // With a statement under way the socket is closed at once; otherwise the server is told, and nobody waits for its answer.
    void (await client?.catch(() => null))?.end().catch(() => {});
  }
}
