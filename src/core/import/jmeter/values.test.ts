import { describe, expect, it } from 'vitest';
import { element, collection, argument, request, withArguments, readOfGroup, type Properties } from './testing/elements.ts';

describe('importJmeter: an expression', () => {
  const variables = element(
    'Arguments',
    'V',
    {},
    '',
    collection('Arguments.arguments', argument('who', 'ada'), argument('password', 'pw'), argument('a', '${b}'), argument('b', '${a}')),
  );
  const feed = (given: Properties): string => element('CSVDataSet', 'People', { filename: 'p.csv', variableNames: 'name, mail', ...given });
  const query = (...values: readonly string[]): string =>
    request({}, '', withArguments(...values.map((value, index) => argument(String.fromCharCode(97 + index), value))));

  it.each<[string, string, unknown[]]>([
    [
      'becomes the value of a user defined variable',
      variables + query('${who}', '${who}${who}'),
      [{ name: 'R', path: '/', query: { a: 'ada', b: 'adaada' } }],
    ],
    [
      'becomes a secret if its name is that of a secret',
      variables + query('${password}'),
      [
        { name: 'R', path: '/', query: { a: '{{password}}' } },
        { variables: { password: { kind: 'secret', secret: 'env:HOLDFAST_PASSWORD' } }, cookies: 'ignore' },
        'secret User Defined Variables: “password” may be a secret. Its value is not in the plan. Set HOLDFAST_PASSWORD when the plan runs.',
      ],
    ],
    [
      'remains plain text if its variable refers to itself',
      variables + query('${a}'),
      [
        { name: 'R', path: '/', query: { a: '${a}' } },
        'leftOut ${a}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'remains plain text if it is unknown',
      query('${nothing}', '{{x}}'),
      [
        { name: 'R', path: '/', query: { a: '${nothing}', b: String.raw`\{{x}}` } },
        'leftOut ${nothing}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'becomes a UUID variable',
      query('${__UUID}', '${__UUID()}'),
      [
        { name: 'R', path: '/', query: { a: '{{uuid}}', b: '{{uuid}}' } },
        { variables: { uuid: { kind: 'uuid', per: 'request' } }, cookies: 'ignore' },
      ],
    ],
    [
      'becomes a timestamp variable',
      query('${__time()}', '${__time(/1000)}', '${__time(yyyy)}', '${__timestamp}'),
      [
        { name: 'R', path: '/', query: { a: '{{timestamp}}', b: '{{timestamp_2}}', c: '{{time}}', d: '{{timestamp}}' } },
        {
          variables: {
            timestamp: { kind: 'timestamp', unit: 'milliseconds' },
            timestamp_2: { kind: 'timestamp', unit: 'seconds' },
            time: { kind: 'timestamp', unit: 'iso' },
          },
          cookies: 'ignore',
        },
        'changed ${__time(yyyy)}: It uses its own time format. The plan uses ISO 8601.',
      ],
    ],
    [
      'becomes a random integer',
      query('${__Random(1,6)}', '${__Random(6,-1,x)}', '${__Random(a,b)}'),
      [
        { name: 'R', path: '/', query: { a: '{{random}}', b: '{{random_2}}', c: '${__Random(a,b)}' } },
        {
          variables: {
            random: { kind: 'integer', from: 1, to: 6, per: 'request' },
            random_2: { kind: 'integer', from: -1, to: 6, per: 'request' },
          },
          cookies: 'ignore',
        },
        'leftOut ${__Random(a,b)}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'becomes a UUID with a note if it is random text',
      query('${__RandomString(5)}'),
      [
        { name: 'R', path: '/', query: { a: '{{randomString}}' } },
        { variables: { randomString: { kind: 'uuid', per: 'request' } }, cookies: 'ignore' },
        'changed ${__RandomString(5)}: It is random text. The plan uses a random UUID.',
      ],
    ],
    [
      'becomes the number of the user',
      query('${__threadNum}', '${__counter(FALSE,)}'),
      [
        { name: 'R', path: '/', query: { a: '{{threadNum}}', b: '{{threadNum}}' } },
        { variables: { threadNum: { kind: 'number', from: 1 } }, cookies: 'ignore' },
        'changed ${__counter(FALSE,)}: It is a counter that increases with each use. The plan uses the number of the user.',
      ],
    ],
    [
      'becomes a property’s default, or a value that Holdfast asks for',
      query('${__P(my-key)}', '${__P(with,5)}', '${__property(a,b,c)}', '${__property(z)}'),
      [
        { name: 'R', path: '/', query: { a: '{{my_key}}', b: '5', c: 'c', d: '{{z}}' } },
        { variables: { my_key: { kind: 'secret', secret: 'ask:my_key' }, z: { kind: 'secret', secret: 'ask:z' } }, cookies: 'ignore' },
        'assumed ${__P(my-key)}: It is a property from JMeter’s command line. Holdfast asks for my_key when the plan runs. To read it from your environment, write env:my_key into the plan.',
        'assumed ${__property(z)}: It is a property from JMeter’s command line. Holdfast asks for z when the plan runs. To read it from your environment, write env:z into the plan.',
      ],
    ],
    [
      'remains plain text if it is an unsupported function',
      query('${__groovy(1+1)}'),
      [
        { name: 'R', path: '/', query: { a: '${__groovy(1+1)}' } },
        'leftOut ${__groovy(1+1)}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'loses its encoding function',
      variables + query('${__urlencode(${who})}', '${__V(${who})}'),
      [{ name: 'R', path: '/', query: { a: 'ada', b: 'ada' } }],
    ],
    [
      'becomes a column of a feed',
      feed({}) + query('${name}', '${mail}'),
      [
        { name: 'R', path: '/', query: { a: '{{people.name}}', b: '{{people.mail}}' } },
        { feeds: { people: { file: 'p.csv' } }, cookies: 'ignore' },
        'changed CSV Data Set “People”: The test plan names the columns of the file. Add this as the first line of the file: name,mail',
      ],
    ],
    [
      'becomes a column of a feed whose first line names the columns',
      feed({ ignoreFirstLine: 'true', delimiter: '\\t', stopThread: 'true' }) + query('${name}'),
      [
        { name: 'R', path: '/', query: { a: '{{people.name}}' } },
        { feeds: { people: { file: 'p.csv', separator: '\t' } }, cookies: 'ignore' },
        'changed CSV Data Set “People”: It skips the first line of the file. That line must name the columns: name\tmail',
        'changed CSV Data Set “People”: Threads end at the end of the file. The plan continues with the first row.',
      ],
    ],
    [
      'becomes a column of a feed with a note on its separator',
      feed({ delimiter: ':', recycle: 'false' }) + query('${name}'),
      [
        { name: 'R', path: '/', query: { a: '{{people.name}}' } },
        { feeds: { people: { file: 'p.csv' } }, cookies: 'ignore' },
        'changed CSV Data Set “People”: The separator is not one of , ; | or tab. The plan expects commas. Convert the file.',
        'changed CSV Data Set “People”: The test plan names the columns of the file. Add this as the first line of the file: name,mail',
        'changed CSV Data Set “People”: Threads end at the end of the file. The plan continues with the first row.',
      ],
    ],
    [
      'becomes a column of a file that names its columns itself',
      feed({ variableNames: '', recycle: 'true' }) + query('${name}', '${a b}'),
      [
        { name: 'R', path: '/', query: { a: '{{people.name}}', b: '${a b}' } },
        { feeds: { people: { file: 'p.csv' } }, cookies: 'ignore' },
        'leftOut ${a b}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'remains plain text if the data set names no file',
      feed({ filename: '' }) + query('${name}'),
      [
        { name: 'R', path: '/', query: { a: '${name}' } },
        'leftOut CSV Data Set “People”: It names no file, or uses a variable without a value. It was left out.',
        'leftOut ${name}: Nothing that Holdfast reads sets it. The plan contains it as plain text. Replace it with a variable, a feed or a capture.',
      ],
    ],
    [
      'needs no feed if a variable names the file',
      feed({ filename: '${file}' }) + query('a'),
      [
        { name: 'R', path: '/', query: { a: 'a' } },
        'leftOut CSV Data Set “People”: It names no file, or uses a variable without a value. It was left out.',
      ],
    ],
  ])('%s', (_name, below, expected) => {
    expect(readOfGroup(below)).toEqual(expected);
  });
});
