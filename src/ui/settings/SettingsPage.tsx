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
  const settingsWords = words.settings;
  return (
    <Page title={settingsWords.title} story={settingsWords.story}>
      <Stack gap={16}>
        <Card title={settingsWords.theme}>
          <RadioCards
            label={settingsWords.theme}
            hideLabel
            layout="row"
            value={theme}
            onChange={choose}
            cards={THEMES.map((each) => ({ value: each, name: settingsWords.themes[each], content: settingsWords.themes[each] }))}
          />
        </Card>
        <SelfTestCard />
        <Loaded query={info} waitingFor={settingsWords.loading} heights={[160, 160]}>
          {(data) => <AppFacts info={data} />}
        </Loaded>
      </Stack>
    </Page>
  );
}

function AppFacts({ info }: { readonly info: AppInfo }) {
  const settingsWords = words.settings;
  return (
    <>
      <Card title={settingsWords.storage}>
        <Facts
          facts={[
            [settingsWords.dataDirectory, pathText(settingsWords.dataDirectory, info.dataDirectory, info.notice ?? settingsWords.dataHelp)],
            [settingsWords.logFile, pathText(settingsWords.logFile, info.logFile, settingsWords.logHelp)],
          ]}
        />
      </Card>
      <Card title={settingsWords.versions}>
        <Facts
          facts={[
            [settingsWords.holdfast, info.version],
            [settingsWords.node, info.nodeVersion],
            [settingsWords.platform, systemName(info.platform)],
            [settingsWords.host, `${info.hostname} · ${settingsWords.cores(formatCount(info.cores))}`],
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
