// Who answers for an agent, in a word.
import { Eye, Scale, User, Zap, type LucideIcon } from 'lucide-react';
import type { Modes } from '../../api/types';
import { Badge, type Tone } from '../../ui/Badge';
import { limitsOf, modeOf, modeTitle } from './modes';
import css from './ModeBadge.module.css';

const LOOKS: Record<string, { tone: Tone; Icon: LucideIcon }> = {
  observe: { tone: 'neutral', Icon: Eye },
  human: { tone: 'good', Icon: User },
  rules: { tone: 'accent', Icon: Scale },
  auto: { tone: 'warn', Icon: Zap },
};

export function ModeBadge({ agent, modes }: { agent: string; modes: Modes }) {
  const { mode, setting, elsewhere } = modeOf(agent, modes);
  const { tone, Icon } = LOOKS[mode] ?? { tone: 'neutral' as Tone, Icon: User };
  const notes = [
    ...limitsOf(setting),
    ...(elsewhere.length > 0 ? [`${elsewhere.length} more for parts`] : []),
  ];
  return (
    <span className={css.mode}>
      <Badge tone={tone} icon={<Icon size={13} aria-hidden="true" />}>
        {modeTitle(mode)}
      </Badge>
      {notes.length > 0 && <span className={css.notes}>{notes.join(', ')}</span>}
    </span>
  );
}
