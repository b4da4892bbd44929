// Everything that the desk keeps, to take away.
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { statusQuery } from '../../api/queries';
import { CommandLine } from '../../components/CommandLine';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import css from './settings.module.css';

const BACKUP_ADDRESS = '/api/v1/backup';

export function BackupCard({ may }: { may: boolean }) {
  const { data: status } = useQuery(statusQuery);
  const file = `${status?.scenario ?? 'drover'}-backup.db`;
  return (
    <Card title="A copy of everything">
      <div className={css.stack}>
        <p>
          All that this desk keeps, as it is at one moment, checked and complete: a SQLite file from which{' '}
          <code>drover restore</code> makes a desk again. Keep it like a secret.
        </p>
        {may ? (
          <a className={css.download} href={BACKUP_ADDRESS} download={file}>
            <Download size={15} aria-hidden="true" /> Download
          </a>
        ) : (
          <Button
            className={css.start}
            icon={<Download size={15} aria-hidden="true" />}
            disabledBecause="This needs the role admin."
          >
            Download
          </Button>
        )}
        <CommandLine command={`drover backup --to ${file}`} />
      </div>
    </Card>
  );
}
