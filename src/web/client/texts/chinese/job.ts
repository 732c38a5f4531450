import type { job as english } from "../english/job.ts";

export const job: typeof english = {
  pause: "暂停",
  resume: "继续",
  stop: "取消评估",
  stateQueued: "等待中",
  stateRunning: "阅读中",
  statePausing: "等待途中的回答后暂停",
  statePaused: "已暂停",
  stateDone: "完成",
  stateCancelled: "已取消",
  stateFailed: "失败",
  jobProgress: (done, total) => `${done} / ${total}`,
  jobChapters: "逐章进展",
  jobNoChapters: "章节评完后会出现在这里。",
  jobNotes: "经过",
  openReport: "打开报告",
  connectionLost: "服务器没有响应，正在重试。已付费的内容不会丢失。",
  connectionBack: "已重新连接。",
  jobRestarted: "服务器已重新启动。此评估已暂停，可以继续。",
};
