// Who did something, as the record names them: what kind of being, and its name.
import { Bot, Building2, FlaskRound, Globe, Scale, Terminal, UserRound, type LucideIcon } from 'lucide-react';
import css from './ActorName.module.css';

const ICONS: Record<string, LucideIcon> = {
  person: UserRound,
  agent: Bot,
  rule: Scale,
  simulated: FlaskRound,
  world: Globe,
  desk: Building2,
  'command-line': Terminal,
};

export function ActorName({ actor }: { actor: string }) {
  const [kind = '', ...rest] = actor.split(':');
  const Icon = ICONS[kind] ?? UserRound;
  return (
    <span className={css.actor} title={actor}>
      <Icon size={14} aria-hidden="true" className={css.icon} />
      {rest.length > 0 && <span className="visually-hidden">{kind} </span>}
      <span className={css.name}>{rest.join(':') || kind}</span>
    </span>
  );
}
