import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument } from 'commander';
import { stringify } from 'yaml';
import { HoldfastError } from '#core/errors.ts';
import { IMPORT_KINDS, type ImportKind } from '#core/import/imported.ts';
import { importText } from '#core/import/importText.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { importedText, notesText } from '../output/importText.ts';
import { writeNewFile } from '../output/newFile.ts';
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
      else
        await writeNewFile(resolve(context.currentDirectory, flags.out), text, {
          code: 'PLAN_FILE',
          hintWhenThere: 'Choose another name, or move it away.',
        });
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
