// How the page looks and listens in this browser.
import { useState, useSyncExternalStore } from 'react';
import { switchShortcuts, useShortcutsAreOn } from '../../components/shortcuts';
import { ShortcutHelp } from '../../components/shell/ShortcutHelp';
import { applyTheme, currentTheme, onThemeChange, type Theme } from '../../theme/theme';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Segments } from '../../ui/Segments';
import css from './settings.module.css';

export function AppearanceTab() {
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  const on = useShortcutsAreOn();
  const [help, setHelp] = useState(false);
  return (
    <div className={css.two}>
      <Card title="Theme">
        <p className={css.lead}>Kept in this browser alone.</p>
        <Segments<Theme>
          label="Theme"
          value={theme}
          onChange={applyTheme}
          options={[
            { value: 'system', title: 'As the system' },
            { value: 'light', title: 'Light' },
            { value: 'dark', title: 'Dark' },
          ]}
        />
      </Card>
      <Card title="Keys">
        <p className={css.lead}>
          Letters move and open; none of them changes anything by itself. Switch them off if your screen
          reader or your voice needs them. <kbd>Ctrl K</kbd> goes on working.
        </p>
        <div className={css.rights}>
          <label className={css.check}>
            <input type="checkbox" checked={on} onChange={(event) => switchShortcuts(event.target.checked)} />{' '}
            Letters are shortcuts
          </label>
        </div>
        <div className={css.actions}>
          <Button onClick={() => setHelp(true)}>Show all keys</Button>
        </div>
      </Card>
      {help && <ShortcutHelp onClose={() => setHelp(false)} />}
    </div>
  );
}
