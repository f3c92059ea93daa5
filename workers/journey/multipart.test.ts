import { describe, expect, it } from 'vitest';
import { httpServer } from '#workers/testing/servers.ts';
import { stepSchema } from '#core/plan/schema/step.ts';
import { decodeJpeg } from '#core/work/journey/testing/decodeJpeg.ts';
import { Multipart } from './multipart.ts';
import { drive } from '#workers/testing/drive.ts';
import { buffer } from 'node:stream/consumers';

describe('Multipart', () => {
  it('is read by a server as it was sent, with generated files and given files', async () => {
    const forms: Promise<FormData>[] = [];
    const server = await httpServer((request, response) => {
      const type = request.headers['content-type'] ?? '';
      forms.push(buffer(request).then((body) => new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData()));
      void forms.at(-1)?.then(() => response.end());
    });
    const journey = [
      {
        name: 'upload',
        method: 'POST' as const,
        multipart: [
          { name: 'note', value: 'for {{id}}: "a"\r\nb & ü' },
          { name: '{{id}}', bytes: 98_831, type: 'image/jpeg', fileName: 'photo "1".jpg' },
          { name: 'solution', file: '/somewhere/solution.cpp', type: 'text/plain' },
        ],
      },
    ];
    const driven = await drive({
      targets: [server.url],
      stage: { connections: 1, requests: 2 },
      plan: { journey, variables: { id: { kind: 'uuid' } } },
      files: { '/somewhere/solution.cpp': Buffer.from('int main() {}\n').toString('base64') },
    });
    expect(driven.cell.outcomes).toEqual({ ok: 2 });
    const [first, second] = await Promise.all(forms);
    const names = [...(first?.keys() ?? [])];
    const id = names[1] ?? '';
    expect(names).toEqual(['note', id, 'solution']);
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(second?.has(id)).toBe(false);
    expect(first?.get('note')).toBe(`for ${id}: "a"\r\nb & ü`);
    const photo = first?.get(id);
    if (!(photo instanceof File)) throw new Error('the photo is no file');
    const bytes = Buffer.from(await photo.arrayBuffer());
    expect({ size: photo.size, type: photo.type, name: photo.name }).toEqual({ size: 98_831, type: 'image/jpeg', name: 'photo "1".jpg' });
    expect(decodeJpeg(bytes)).toEqual({ width: 808, height: 600, blocks: 7_575 });
    const other = second?.get([...second.keys()][1] ?? '');
    expect(other instanceof File && Buffer.from(await other.arrayBuffer()).equals(bytes)).toBe(false);
    const solution = first?.get('solution');
    expect(solution instanceof File && (await solution.text())).toBe('int main() {}\n');
    await server.close();
  });

  it('sends the type of a value only if it has one', () => {
    const { multipart } = stepSchema.parse({
      name: 'send',
      multipart: [
        { name: 'meta', value: '{"id":"{{id}}"}', type: 'application/json; charset=utf-8' },
        { name: 'note', value: 'x' },
      ],
    });
    const form = new Multipart(multipart ?? [], {});
    expect(
      form
        .build(() => '7')
        .toString()
        .replaceAll(form.boundary, 'B'),
    ).toBe(
      '--B\r\nContent-Disposition: form-data; name="meta"\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{"id":"7"}\r\n' +
        '--B\r\nContent-Disposition: form-data; name="note"\r\n\r\nx\r\n--B--\r\n',
    );
  });

  it("sends a part for each item of a list, the value for the file's extension, and no empty optional parts", () => {
    const values: Readonly<Record<string, string>> = { language: '', cpp: 'C++17 / g++' };
    const parts = stepSchema.parse({
      name: 'submit',
      multipart: [
        { each: 'field', name: '{{field}}', folder: '/solutions' },
        { name: 'empty', value: '{{language}}', optional: true },
        { name: 'language', valueByEnding: { cpp: '{{cpp}}', py: '{{language}}' } },
      ],
    }).multipart;
    const names = (file: string): string[] => {
      const form = new Multipart(parts ?? [], { [`/solutions/${file}`]: Buffer.from('x').toString('base64') });
      const body = form.build((name) => values[name] ?? '', { draw: () => 0, toList: () => ['a.%l', 'b,c.%l'] }).toString();
      return [...body.matchAll(/ name="([^"]*)"(?:; filename="([^"]*)")?(?:\r\n[^\r]+)?\r\n\r\n([^\r]*)/g)].map(([, ...groups]) =>
        groups.join(' '),
      );
    };
    expect(names('one.cpp')).toEqual(['a.%l one.cpp x', 'b,c.%l one.cpp x', 'language  C++17 / g++']);
    expect(names('two.py')).toEqual(['a.%l two.py x', 'b,c.%l two.py x']);
    expect(names('three')).toEqual(['a.%l three x', 'b,c.%l three x']);
  });

  it('sends a random file of a folder with its name, and the same files for the same seed', async () => {
    const names: string[] = [];
    const server = await httpServer((request, response) => {
      const type = request.headers['content-type'] ?? '';
      void buffer(request)
        .then((body) => new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData())
        .then(async (form) => {
          const file = form.get('harbour.%l');
          names.push(file instanceof File ? `${file.name}=${await file.text()}` : 'none');
          response.end();
        });
    });
    const files = Object.fromEntries(['a.cpp', 'b.py', 'c.c'].map((name) => [`/solutions/${name}`, Buffer.from(name).toString('base64')]));
    const journey = [{ name: 'submit', method: 'POST' as const, multipart: [{ name: 'harbour.%l', folder: '/solutions/' }] }];
    const load = async (): Promise<string[]> => {
      names.length = 0;
      const driven = await drive({
        targets: [server.url],
        stage: { connections: 1, requests: 30 },
        plan: { journey },
        files: { ...files, '/solutions-old/d.c': '' },
      });
      expect(driven.cell.outcomes).toEqual({ ok: 30 });
      return [...names];
    };
    const first = await load();
    expect([...new Set(first)].sort()).toEqual(['a.cpp=a.cpp', 'b.py=b.py', 'c.c=c.c']);
    expect(await load()).toEqual(first);
    await server.close();
  });

  it('generates text for files of a text type, different in each request and file', async () => {
    const files: Buffer[] = [];
    const server = await httpServer((request, response) => {
      const type = request.headers['content-type'] ?? '';
      void buffer(request)
        .then((body) => new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData())
        .then(async (form) => {
          for (const file of form.values()) if (file instanceof File) files.push(Buffer.from(await file.arrayBuffer()));
          response.end();
        });
    });
    const part = { bytes: 2_000, type: 'text/x-c++src', fileName: 'solution.cpp' };
    const journey = [{ name: 'submit', method: 'POST' as const, multipart: ['first.%l', 'second.%l'].map((name) => ({ name, ...part })) }];
    await drive({ targets: [server.url], stage: { connections: 2, requests: 40 }, plan: { journey } });
    await server.close();
    expect(files.map(({ length }) => length)).toEqual(Array.from({ length: 80 }, () => 2_000));
    expect(files.filter((file) => !/^[\n -~]*\n$/.test(file.toString('latin1')))).toEqual([]);
    expect(new Set(files.map(String)).size).toBe(80);
  });
});
