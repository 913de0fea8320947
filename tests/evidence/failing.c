/* Loaded before the C library: lets a chosen write to a file fail, as a full disk would. Pipes and terminals work. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long seen, chosen = -1;
static int lasting, reason = ENOSPC;

/* The number of the write that fails, counted from 0, or -1; whether all later ones fail, too; with which errno. */
void fail_write(long number, int stays, int code) { seen = 0; chosen = number; lasting = stays; reason = code; }
long writes_seen(void) { return seen; }

static int fails(int fd) {
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
    long number = seen++;
    if (chosen < 0 || (lasting ? number < chosen : number != chosen)) return 0;
    errno = reason;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) { return fails(fd) ? -1 : REAL(write)(fd, data, size); }
ssize_t writev(int fd, const struct iovec *data, int count) { return fails(fd) ? -1 : REAL(writev)(fd, data, count); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return fails(fd) ? -1 : REAL(pwrite)(fd, data, size, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) { return fails(fd) ? -1 : REAL(pwrite64)(fd, data, size, at); }
int ftruncate(int fd, off_t size) { return fails(fd) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fails(fd) ? -1 : REAL(ftruncate64)(fd, size); }
int fsync(int fd) { return fails(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : REAL(fdatasync)(fd); }
