import { read, settled, urlOf, type Walk } from './walk.ts';

/** What the phone of a participant does, from a page of the same server: a token, the campaigns, an answer with a photo, and what is stored. */
export const phone: Walk = async (page, place) => {
  const [account] = place.accounts;
  await page.goto(urlOf(place, '/web/home'));
  await read(page);
  await page.evaluate(
    async ({ user, password }) => {
      const post = async (path: string, body: URLSearchParams | FormData): Promise<{ token?: string }> =>
        (await fetch(`/app/${path}`, { method: 'POST', body })).json();
      const { token = '' } = await post('user/auth_token', new URLSearchParams({ user, password, client: 'phone' }));
      await post('campaign/read', new URLSearchParams({ auth_token: token, client: 'phone', output_format: 'short' }));
      const photo = '5f0c7fe6-1b0c-4a53-9d4b-2c7a0f3b1a10';
      const survey = {
        survey_key: '8d3b7a52-6a0f-4f7e-8a39-6f1f5f5f2f01',
        time: 1_700_000_000_000,
        timezone: 'America/Los_Angeles',
        survey_id: 'snackSurvey',
        survey_launch_context: { launch_time: 1_700_000_000_000, launch_timezone: 'America/Los_Angeles', active_triggers: [] },
        location_status: 'unavailable',
        responses: [
          { prompt_id: 'SnackWhen', value: 2 },
          { prompt_id: 'SnackPhoto', value: photo },
        ],
      };
      const form = new FormData();
      const fields = {
        auth_token: token,
        client: 'phone',
        campaign_urn: 'urn:campaign:lab:snack',
        campaign_creation_timestamp: '2013-09-04 12:00:00',
        surveys: JSON.stringify([survey]),
      };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set(photo, new Blob([new Uint8Array(600).fill(65)], { type: 'image/jpeg' }), 'photo.jpg');
      await post('survey/upload', form);
      const query = new URLSearchParams({
        auth_token: token,
        client: 'phone',
        campaign_urn: 'urn:campaign:lab:snack',
        user_list: user,
        column_list: 'urn:ohmage:special:all',
        output_format: 'json-rows',
        num_to_skip: '0',
        num_to_process: '2',
      });
      await (await fetch(`/app/survey_response/read?${query}`)).json();
    },
    { user: account?.username ?? '', password: account?.password ?? '' },
  );
  await settled(page);
};

/** A wrong password, which is answered with 200 too, then the right one; who asks is told by the cookie alone. */
export const whoAmI: Walk = async (page, place) => {
  const [account] = place.accounts;
  await page.goto(urlOf(place, '/web/home'));
  await page.evaluate(
    async ({ user, password }) => {
      const logIn = (typed: string): Promise<Response> =>
        fetch('/app/user/auth_token', { method: 'POST', body: new URLSearchParams({ user, password: typed, client: 'web' }) });
      await logIn('guessed');
      await new Promise((resolve) => setTimeout(resolve, 900));
      await logIn(password);
      await (await fetch('/app/user/whoami?client=web')).json();
      await (await fetch('/app/config/read')).text();
    },
    { user: account?.username ?? '', password: account?.password ?? '' },
  );
  await settled(page);
};
