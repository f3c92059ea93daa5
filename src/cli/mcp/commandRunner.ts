import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { CallOutput } from '#contract/api.ts';
import { visibleText } from '#core/base/text.ts';
import { connectionSettings } from '#core/plan/url.ts';
import { parsePlan } from '#core/review/check.ts';
import type { CliContext } from '../context.ts';
import { Consent } from '../input/consent.ts';
import type { Output } from '../output/stream.ts';
import { requirePlan } from '../plans/fromPreset.ts';
import { planOfAddress } from '../plans/source.ts';
import { runCli } from '../runCli.ts';
import { guardClient, type LoadCaps } from './guardedClient.ts';

/** Maximum length of a command's output that is kept. Only the end of a longer output is kept. */
const MAX_KEPT_LENGTH = 20_000;

/** A command that an assistant started, running or ended. */
export interface CommandJob {
  /** Id of the run that the command started. */
  readonly runId: string | null;
  /** Exit code; null while the command runs. */
  readonly code: number | null;
  readonly text: string;
  /** Resolves when the command has ended. */
  readonly ended: Promise<void>;
  /** Stops the command like Ctrl-C. */
  stop(): void;
}

/**
 * Runs commands for an assistant, with the same plans, verdicts and consent as on the command line. The backend is guarded, and commands
 * have no terminal, environment variables or standard input. Consent comes from the options of the server or was given in the app before.
 */
export class CommandRunner {
  private readonly context: CliContext;
  private readonly client: Client;
  private readonly caps: LoadCaps;
  private readonly allow: readonly string[];
  private current: CommandJob | null = null;

  constructor(context: CliContext, client: Client, caps: LoadCaps, allow: readonly string[]) {
    this.context = context;
    this.client = client;
    this.caps = caps;
    this.allow = allow;
  }

  /** The most recently started command with a load; null if there was none. */
  get load(): CommandJob | null {
    return this.current;
  }

  /** Runs a command without a load until it ends. */
  async run(args: readonly string[]): Promise<CommandJob> {
    const job = this.start(args);
    await job.ended;
    return job;
  }

  /** Works like {@link run}, for a command that needs permissions. */
  runAsking(args: readonly string[]): Promise<CommandJob> {
    return this.run([...args, ...this.allow.map((text) => `--allow=${text}`)]);
  }

  /** Starts a command with a load. Throws `LOAD_RUNNING` while another one is running. */
  startLoad(args: readonly string[]): CommandJob {
    if (this.current !== null && this.current.code === null)
      throw new HoldfastError({ code: 'LOAD_RUNNING', message: 'A load is running.', hint: 'Watch it, or stop it first.' });
    this.current = this.start([...args, ...this.allow.map((text) => `--allow=${text}`)]);
    return this.current;
  }

  /** Sends one request to an address. Throws `AGREEMENT_NEEDED` for a host that no person has allowed. */
  async probe(url: string): Promise<CallOutput<'targets.probe'>> {
    const source = planOfAddress(url);
    const { plan, issues } = parsePlan(source.kind === 'file' ? source.text : '');
    const [target] = requirePlan(plan, issues).targets;
    if (plan === null || target === undefined) throw noPerson();
    const out = new KeptOutput();
    const consent = new Consent(this.allow, {
      ...this.context,
      err: out,
      isAssistant: true,
      hiddenInput: () => Promise.reject(noPerson()),
    });
    const agreedKeys = await consent.agreeToPlan({ plan }, this.client);
    return this.client.call('targets.probe', { target, agreed: agreedKeys, ...connectionSettings(plan) });
  }

  private start(args: readonly string[]): CommandJob {
    const interrupts = new Set<() => void>();
    const out = new KeptOutput();
    const state: { runId: string | null; code: number | null } = { runId: null, code: null };
    const guarded = guardClient(this.client, this.caps, (runId) => {
      state.runId = runId;
    });
    const context: CliContext = {
      ...this.context,
      out,
      err: out,
      hiddenInput: () => Promise.reject(noPerson()),
      askLine: () => Promise.resolve(null),
      standardInput: () => Promise.resolve(''),
      environment: {},
      isAssistant: true,
      openBackend: () => Promise.resolve({ connect: () => undefined, client: () => guarded, close: () => Promise.resolve() }),
      onInterrupt(listener) {
        interrupts.add(listener);
        return () => interrupts.delete(listener);
      },
      onEnter: () => () => undefined,
      quit: () => undefined,
    };
    const end = async (): Promise<void> => {
      state.code = await runCli(args, context);
    };
    const ended = end();
    return {
      get runId() {
        return state.runId;
      },
      get code() {
        return state.code;
      },
      get text() {
        return out.text;
      },
      ended,
      stop: () => {
        for (const listener of interrupts) listener();
      },
    };
  }
}

function noPerson(): HoldfastError {
  return new HoldfastError({
    code: 'NO_TERMINAL',
    message: 'An assistant cannot decide this for a person.',
    hint: 'Ask the person to run it.',
  });
}

/** Output that keeps only the end of what a command writes. */
class KeptOutput implements Output {
  readonly isTerminal = false;
  readonly columns = 80;
  text = '';

  write(text: string): Promise<void> {
    this.text = (this.text + visibleText(text)).slice(-MAX_KEPT_LENGTH);
    return Promise.resolve();
  }

  writeReport(text: string): Promise<void> {
    return this.write(text);
  }

  writeFile(text: string): Promise<void> {
    return this.write(text);
  }

  redraw(): Promise<void> {
    return Promise.resolve();
  }
}
