import { useState } from 'react';
import { systemName } from '#core/base/text.ts';
import { formatCount } from '#core/base/units.ts';
import type { AppInfo } from '#contract/replies.ts';
import { useCall } from '#ui/shared/backend.ts';
import { STORED } from '#ui/shared/stored.ts';
import { applyTheme, storedTheme, type Theme, THEMES } from '#ui/shared/theme.ts';
import { Card, Page, Stack } from '#ui/components/Page.tsx';
import { CopyableText } from '../components/Button.tsx';
import { Facts } from '#ui/components/Facts.tsx';
import { RadioCards } from '#ui/components/Choices.tsx';
import { Loaded } from '#ui/components/Placeholders.tsx';
import { words } from '../words/words.ts';
import { SelfTestCard } from './selftest/SelfTestCard.tsx';

export function SettingsPage() {
  const [theme, setTheme] = useState(() => storedTheme(localStorage));
  const choose = (chosen: Theme): void => {
    localStorage.setItem(STORED.theme, chosen);
    applyTheme(chosen, document.documentElement);
    setTheme(chosen);
  };
  const info = useCall('app.info', {});
  const say = words.settings;
  return (
    <Page title={say.title} story={say.story}>
      <Stack gap={16}>
        <Card title={say.theme}>
          <RadioCards
            label={say.theme}
            hideLabel
            layout="row"
            value={theme}
            onChange={choose}
            cards={THEMES.map((each) => ({ value: each, name: say.themes[each], content: say.themes[each] }))}
          />
        </Card>
        <SelfTestCard />
        <Loaded query={info} waitingFor={say.loading} heights={[160, 160]}>
          {(data) => <AppFacts info={data} />}
        </Loaded>
      </Stack>
    </Page>
  );
}

function AppFacts({ info }: { readonly info: AppInfo }) {
  const say = words.settings;
  return (
    <>
      <Card title={say.storage}>
        <Facts
          facts={[
            [say.dataDirectory, pathText(say.dataDirectory, info.dataDirectory, info.notice ?? say.dataHelp)],
            [say.logFile, pathText(say.logFile, info.logFile, say.logHelp)],
          ]}
        />
      </Card>
      <Card title={say.versions}>
        <Facts
          facts={[
            [say.holdfast, info.version],
            [say.node, info.nodeVersion],
            [say.platform, systemName(info.platform)],
            [say.host, `${info.hostname} · ${say.cores(formatCount(info.cores))}`],
          ]}
        />
      </Card>
    </>
  );
}

function pathText(name: string, path: string, help: string) {
  return (
    <>
      <CopyableText text={path} label={`${words.common.copy}: ${name}`} />
      <span className="muted">{help}</span>
    </>
  );
}
