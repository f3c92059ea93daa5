import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MAX_SEALED_BYTES } from '#core/presentation/document/sealCheck.ts';
import { describeSealCheck, NOT_PROVED } from '#core/presentation/document/sealCheckText.ts';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { visibleLine } from '#core/base/text.ts';
import { EXIT } from '../exitCodes.ts';
import { jsonText } from '../output/jsonFile.ts';
import { type AddCommand, withClient } from '../context.ts';

export const addVerify: AddCommand = (program, { context, exit }) => {
  program
    .command('verify')
    .description('check a sealed file: its signature, and whether its data give the same verdict')
    .argument('<file>', 'file of holdfast report RUN --sealed FILE')
    .option('--json', 'print the check as JSON')
    .addHelpText('after', '\nExit codes: 0 unchanged, with the same verdict; 1 otherwise.')
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const bytes = await readBounded(resolve(context.currentDirectory, file), file);
      const check = await withClient(context, (client) => client.call('sealed.verify', { base64: bytes.toString('base64') }));
      const { isGood, title, lines } = describeSealCheck(check);
      if (json) await context.out.write(jsonText(check));
      else {
        const notProved = check.state === 'intact' ? ['', 'Not proved by a signature:', ...NOT_PROVED.map((line) => `- ${line}`)] : [];
        await context.out.write(`${[title, ...lines.map(visibleLine), ...notProved].join('\n')}\n`);
      }
      exit(isGood ? EXIT.fine : EXIT.failed);
    });
};

/** Reads a file of at most MAX_SEALED_BYTES. Throws `SEALED_FILE`. */
async function readBounded(path: string, name: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((thrown: unknown) => {
    throw new HoldfastError({
      code: 'SEALED_FILE',
      message: `${name} cannot be read (${codeOf(thrown) ?? 'unknown cause'}).`,
      hint: 'Check the path, and that you can read the file.',
    });
  });
  try {
    const buffer = Buffer.alloc(MAX_SEALED_BYTES + 1);
    let used = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, used, buffer.length - used);
      used += bytesRead;
      if (used === buffer.length)
        throw new HoldfastError({ code: 'SEALED_FILE', message: `${name} is larger than 5 MB.`, hint: 'Sealed files are smaller.' });
      if (bytesRead === 0) return buffer.subarray(0, used);
    }
  } finally {
    await file.close();
  }
}
