import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCOUNTS, CAMPAIGNS } from '#lab/survey-lab/data.ts';
import type { RunningLab } from '#lab/lab.ts';
import { surveyLab } from '#lab/survey-lab/lab.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { startHarness } from '../testing/harness.ts';

const reason = await whyNot(await surveyLab.missing(process.env));
const [campaign = { urn: '', created: '' }] = CAMPAIGNS;
const OTHER_PROMPTS =
  '{"prompt_id":"SnackPeriod","value":2},{"prompt_id":"SnackTime","value":"2013-09-05T10:15:00"},{"prompt_id":"SnackLocation","value":1},{"prompt_id":"SnackSize","value":3},{"prompt_id":"SnackCost","value":1},{"prompt_id":"SnackWhy","value":4},{"prompt_id":"SnackWho","value":2},{"prompt_id":"SnackPackage","value":0},{"prompt_id":"SnackName","value":"apple"}';

const plan = (url: string): string => `
holdfast: 1
name: Surveys that are there before the test
targets: [{ url: '${url}' }]
feeds: { surveys: { file: surveys.csv } }
journey: [{ name: login page, path: web/ }]
load: { model: connections, stages: [{ connections: 1, requests: 1 }] }
leavesBehind: ['One survey with a photo for each row of surveys.csv.']
populate:
  feed: surveys
  key: survey
  perSecond: 100
  journey:
    - name: log in
      method: POST
      path: app/user/auth_token
      form: { user: '{{surveys.username}}', password: '{{surveys.password}}', client: ohmage-gwt }
      checks: [{ kind: json, path: $.result, equals: success }]
      captures: [{ from: json, as: token, path: $.token }]
    - name: upload
      method: POST
      path: app/survey/upload
      multipart:
        - { name: auth_token, value: '{{token}}' }
        - { name: client, value: ohmage-android }
        - { name: campaign_urn, value: '${campaign.urn}' }
        - { name: campaign_creation_timestamp, value: '${campaign.created}' }
        - name: surveys
          value: >-
            [{"survey_key":"{{surveys.survey}}","time":1378300000000,"timezone":"America/Los_Angeles","survey_id":"snackSurvey",
            "survey_launch_context":{"launch_time":1378300000000,"launch_timezone":"America/Los_Angeles","active_triggers":[]},
            "location_status":"unavailable","responses":[{"prompt_id":"SnackPhoto","value":"{{surveys.photo}}"},${OTHER_PROMPTS}]}]
        - { name: '{{surveys.photo}}', bytes: 98831, type: image/jpeg, fileName: photo.jpg }
      checks: [{ kind: json, path: $.result, equals: success }]
`;

const readStored = async ({ control }: RunningLab): Promise<unknown> => (await fetch(`${control}gauges`)).json();
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe.skipIf(reason !== null)(`data that is created before a test ${reason ?? ''}`, () => {
  it("consists of surveys with photos in the server's database; a rejected row is reported, and is created once it is corrected", async () => {
    const lab = await surveyLab.start(
      { database: 'sqlite', 'stream-rows': 100, responses: 10, 'service-ms': 0, 'upload-ms': 0 },
      testSurroundings(),
    );
    try {
      const cli = await startHarness();
      const rows = ACCOUNTS.slice(0, 5).map(({ username, password }, index) => [username, password, uuid(index), uuid(100 + index)]);
      const csvOf = (lines: readonly string[][]): string =>
        ['username,password,survey,photo', ...lines.map((line) => line.join(','))].join('\n');
      const list = join(cli.directory, 'surveys.csv');
      await writeFile(join(cli.directory, 'plan.yaml'), plan(lab.urls[0] ?? ''));
      await writeFile(list, csvOf(rows.map((row, index) => (index === 2 ? ['nobody', ...row.slice(1)] : row))));

      const first = await cli.run('populate', 'plan.yaml');
      expect(first).toMatchObject({ code: 1, out: expect.stringContaining('4 of 5 rows created, 0 existed before, 1 failed') });
      expect(first.out).toContain(`row 3 (${uuid(2)}): log in:`);
      expect(await readStored(lab)).toMatchObject({ 'responses stored': 4, 'photos stored': 4 });

      await writeFile(list, csvOf(rows));
      const second = await cli.run('populate', 'plan.yaml');
      expect(second).toMatchObject({ code: 0, out: expect.stringContaining('1 of 5 rows created, 4 existed before') });
      expect(await readStored(lab)).toMatchObject({ 'responses stored': 5, 'photos stored': 5 });
      expect(second.out).toContain('Left in place: One survey with a photo');
    } finally {
      await lab.stop();
    }
  });
});
