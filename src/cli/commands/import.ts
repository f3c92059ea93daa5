import { open, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument } from 'commander';
import { stringify } from 'yaml';
import { HoldfastError } from '#core/errors.ts';
import { IMPORT_KINDS, type ImportKind } from '#core/import/imported.ts';
import { importText } from '#core/import/importText.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { importedText, notesText } from '../output/importText.ts';
import { printIssues } from '../output/problems.ts';
import type { AddCommand } from './command.ts';

interface ImportFlags {
  readonly out?: string;
  readonly operations?: string;
}

const WIDTH = 140;

export const addImport: AddCommand = (program, { context, exit }) => {
  program
    .command('import')
    .description('make a plan of a command line, a recording or a document of another tool; nothing in it is run')
    .addArgument(new Argument('<kind>', 'what it is; auto finds out').choices(['auto', ...IMPORT_KINDS]))
    .argument('[file]', 'the file that holds it; - or nothing: standard input', '-')
    .option('-o, --out <file>', 'write the plan there, where no file is yet; left out, it is printed')
    .option('--operations <ids>', 'of an OpenAPI description: the operations to take, separated by commas, or all')
    .action(async (kind: 'auto' | ImportKind, file: string, flags: ImportFlags) => {
      const operations = flags.operations?.split(',').map((id) => id.trim()) ?? null;
      const result = importText(await sourceOf(file, context), { kind: kind === 'auto' ? null : kind, operations });
      if (result.kind === 'refused') {
        await context.err.write(notesText(result.notes));
        await printIssues(context.err, result.issues);
        return exit(EXIT.invalidPlan);
      }
      const text = stringify(result.imported.written, { lineWidth: WIDTH });
      if (flags.out === undefined) await context.out.write(text);
      else await writeNew(resolve(context.currentDirectory, flags.out), text);
      await context.err.write(importedText(result.imported));
    });
};

async function sourceOf(file: string, context: CliContext): Promise<string> {
  if (file === '-') return context.standardInput();
  try {
    return await readFile(resolve(context.currentDirectory, file), 'utf8');
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'UNREADABLE_IMPORT',
        message: `The file ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
        hint: 'Name a file that you may read. A command line is given by standard input: echo "ab -n 100 http://localhost/" | holdfast import auto',
      },
      { cause },
    );
  }
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new HoldfastError(
      {
        code: 'PLAN_FILE',
        message: code === 'EEXIST' ? `${file} is there already, and was left alone.` : `${file} cannot be written (${code}).`,
        hint: 'Choose another name or place, or move the file away.',
      },
      { cause },
    );
  }
}
