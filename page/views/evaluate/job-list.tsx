import type { Job } from "../../../src/api/jobs.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { moment, spending } from "../../parts/formats.ts";
import { stateInWords } from "../../parts/job-state.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { to } from "../../routing.ts";
import { usePreferences } from "../../texts/preferences.tsx";

export function JobList({ jobs }: { readonly jobs: readonly Job[] }) {
  const { texts, language } = usePreferences();
  if (jobs.length === 0) return <p className="muted">{texts.noJobs}</p>;
  return (
    <TableScroller label={texts.recentJobs}>
      <table>
        <ColumnNames names={[texts.book, texts.judge, texts.status, texts.progress, texts.cost, texts.started]} />
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <th scope="row">
                <a href={to(["jobs", job.id])}>{job.title}</a>
              </th>
              <td>{job.request.judges.join(", ")}</td>
              <td>{stateInWords(job.state, texts)}</td>
              <td className="number">{job.total > 0 ? texts.jobProgress(job.done, job.total) : "–"}</td>
              <td className="number">{spending(job, texts)}</td>
              <td className="moment">{moment(job.startedAt, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}
