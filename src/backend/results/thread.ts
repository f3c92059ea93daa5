// Entry file of the thread that computes and reads results, started by ResultThread.
import { parentPort } from 'node:worker_threads';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { RunHead } from '#core/result/schema.ts';
import { threadData } from '#threads/startThread.ts';
import { openAnotherStore } from '#backend/store/store.ts';
import { createResultReaders } from './resultReaders.ts';
import { questions, threadDataSchema, toThreadSchema, type FromThread, type QuestionName } from './questions.ts';

const { dataDirectory, version } = threadDataSchema.parse(threadData());
const store = openAnotherStore(dataDirectory);
const postReply = (message: FromThread): void => parentPort?.postMessage(message);
/** The head of the run whose end could not be stored, as the backend last sent it. */
let unstoredHead: RunHead | null = null;
const readers = createResultReaders(store, {
  version,
  unstored: () => unstoredHead,
  log: { failure: (text, thrown) => postReply({ type: 'failure', text, ...toProblemMessage(thrown) }) },
});

async function reply(id: number, name: string, input: unknown): Promise<void> {
  try {
    const output = await replyTo(name, input);
    postReply({ type: 'reply', id, text: JSON.stringify(output) });
  } catch (thrown) {
    postReply({ type: 'problem', id, ...toProblemMessage(thrown) });
  }
}

function replyTo(name: string, input: unknown): unknown {
  if (!isQuestion(name)) throw new RangeError(`Nobody answers ${name}.`);
  const parsed: unknown = questions[name].input.parse(input);
  // The compiler cannot know that this input belongs to this request name.
  return (readers[name] as (given: unknown) => unknown)(parsed);
}

function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(questions, name);
}

function toProblemMessage(thrown: unknown): Pick<Extract<FromThread, { type: 'problem' }>, 'problem' | 'stack'> {
  const stack = thrown instanceof HoldfastError ? null : thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { problem: toProblem(thrown), stack };
}

parentPort?.on('message', (raw: unknown) => {
  const message = toThreadSchema.parse(raw);
  if (message.type === 'question') {
    unstoredHead = message.unstored;
    void reply(message.id, message.name, message.input);
    return;
  }
  store.close();
  parentPort?.close();
});
