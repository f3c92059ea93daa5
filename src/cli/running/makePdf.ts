import { HoldfastError } from '#core/base/errors.ts';
import type { Paper } from '#core/presentation/html/style.ts';
import type { StreamItem } from '#contract/api.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { CliContext } from '../context.ts';

export type ReportSource = { readonly runId: string } | { readonly seriesId: string } | { readonly studyId: string };

const STAGES: Readonly<Record<StreamItem<'reports.pdf'>['stage'], string>> = {
  reading: 'Reading what was measured …',
  printing: 'Printing …',
  done: '',
};

/** The bytes of a report as PDF; on a terminal a line says how far it is. Ctrl-C calls it off. */
export function makePdf(source: ReportSource, paper: Paper, client: Client, context: CliContext): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let pdf: Uint8Array | null = null;
    const end = (act: () => void): void => {
      release();
      act();
    };
    const close = client.open(
      'reports.pdf',
      { of: source, paper },
      {
        onItem({ stage, file }) {
          if (file !== null) pdf = Buffer.from(file.base64, 'base64');
          else if (context.err.isTerminal) void context.err.write(`${STAGES[stage]}\n`);
        },
        onEnd(problem) {
          end(() => (pdf === null ? reject(problem ?? calledOff()) : resolve(pdf)));
        },
      },
    );
    const release = context.onInterrupt(() => {
      close();
      end(() => reject(calledOff()));
    });
  });
}

function calledOff(): HoldfastError {
  return new HoldfastError({ code: 'CANCELLED', message: 'The PDF was not made: it was called off.', hint: '' });
}
